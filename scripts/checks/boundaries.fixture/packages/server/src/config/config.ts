export const port = process.env.SVC_PORT;
