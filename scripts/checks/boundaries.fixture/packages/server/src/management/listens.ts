// breaks: domain-opens-no-socket
export { createServer } from 'node:http';
