export { workLines } from "./lineWorker";
export { QueueClocks } from "./queueClocks";
export { QueueProblem, RedisQueue } from "./redisQueue";
export { RunQueue } from "./runQueue";
