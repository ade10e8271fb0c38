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
const env = { DENTARIUM_COMMIT: commit, ...process.env };
process.exit(await loudly(node, [path.join(root, 'server', 'main.ts'), ...process.argv.slice(2)], { env }));
