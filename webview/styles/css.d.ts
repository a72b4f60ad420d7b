// Importing a style sheet only adds it to the bundle.
declare module "*.css";
