import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, quietly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

const node = await ensureDependencies().catch(endWith);
await ensureBuild(node).catch(endWith);
const [commit, seconds] = await quietly('git', ['log', '-1', '--format=%h %ct']).then(
  (text) => text.trim().split(' '),
  () => ['release', '0'],
);
const env = { DENTARIUM_COMMIT: commit, SOURCE_DATE_EPOCH: seconds, ...process.env };
const args = [path.join(root, 'tools', 'package', 'main.ts'), ...process.argv.slice(2)];
process.exit(await loudly(node, args, { env }));
