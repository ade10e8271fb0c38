import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { root } from './processes.mjs';
import { endWith } from './terminal.mjs';

const node = await ensureDependencies().catch(endWith);
// Browsers connect to Vite, so sign-in must redirect there.
const env = { DENTARIUM_PUBLIC_URL: 'http://localhost:8080', ...process.env };
const start = (...args) => spawn(node, args, { cwd: root, stdio: 'inherit', env });
const server = start(
  '--watch-path',
  path.join(root, 'server'),
  path.join(root, 'server', 'main.ts'),
  '--port',
  '8081',
  '--dev',
  ...process.argv.slice(2),
);
const vite = start(path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), '--port', '8080', '--strictPort');
const end = () => {
  server.kill('SIGTERM');
  vite.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
for (const child of [server, vite]) child.on('exit', end);
