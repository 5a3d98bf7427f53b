// breaks: one-reader-of-the-environment
import { env } from 'node:process';

export const path = env.PATH;
