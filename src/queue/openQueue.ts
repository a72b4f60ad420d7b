export { LineQueue } from "./lineQueue";
export { workLines } from "./lineWorker";
export { QueueClocks } from "./queueClocks";
export { QueueProblem, RedisLink } from "./redisLink";
export { RunQueue } from "./runQueue";
