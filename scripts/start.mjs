import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, quietly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

// package.json runs this by `exec`: npm signals its shell, which does not forward signals.
const node = await ensureDependencies().catch(endWith);
await ensureBuild(node).catch(endWith);
const commit = await quietly('git', ['rev-parse', '--short', 'HEAD']).then(
  (text) => text.trim(),
  () => 'release',
);
const memory = JSON.parse(readFileSync(path.join(root, 'scripts', 'memory.json'), 'utf8'));
// Fewer malloc arenas and a small young generation: a third less memory during imports (bench zip-memory).
// Compiled modules are cached: the server starts a third faster.
const NODE_COMPILE_CACHE = path.join(root, 'node_modules', '.cache', 'compiled');
const env = { DENTARIUM_COMMIT: commit, NODE_COMPILE_CACHE, ...memory.environment, ...process.env };
const command = [...memory.flags, path.join(root, 'server', 'main.ts'), '--dicom', ...process.argv.slice(2)];
process.exit(await loudly(node, command, { env }));
