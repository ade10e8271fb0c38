import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, quietly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

const node = await ensureDependencies().catch(endWith);
await ensureBuild(node).catch(endWith);
const commit = await quietly('git', ['rev-parse', '--short', 'HEAD']).then(
  (text) => text.trim(),
  () => 'release',
);
const memory = JSON.parse(readFileSync(path.join(root, 'scripts', 'memory.json'), 'utf8'));
// Few arenas of malloc and short-lived objects in little room: a third less memory while files come in (bench zip-memory).
const env = { DENTARIUM_COMMIT: commit, ...memory.environment, ...process.env };
const command = [...memory.flags, path.join(root, 'server', 'main.ts'), ...process.argv.slice(2)];
process.exit(await loudly(node, command, { env }));
