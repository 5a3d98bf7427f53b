#!/usr/bin/env node
/** The `holdfast` command of the package. Plain JavaScript for every Node, so that an old one can report the required version. */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const nodeMin = [24, 7];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])) {
  console.error(`Holdfast needs Node ${nodeMin.join('.')} or newer; this is Node ${process.versions.node}.`);
  console.error('Install a newer Node, or use the single executable or the container of Holdfast, which bring their own.');
  process.exit(1);
}
// Keeps compiled code between starts. Threads take the folder from the environment.
const { directory } = module.enableCompileCache(fileURLToPath(new URL('../../.cache/holdfast', import.meta.url)));
if (directory) process.env.NODE_COMPILE_CACHE = directory;
await import(new URL('../dist/main.js', import.meta.url).href);
