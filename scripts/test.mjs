import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

const node = await ensureDependencies().catch(endWith);
await ensureBuild(node).catch(endWith);
const browser = await ensureBrowser(node).catch(endWith);

const results = path.join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
/** Where the runs leave what they walked of the machines. */
const walked = { DENTARIUM_COVER: path.join(results, 'cover') };

const module = (...parts) => path.join(root, 'node_modules', ...parts);
const score = { passed: 0, failed: 0 };
const failures = [];

const note = (name, passed, failed) => {
  score.passed += passed;
  score.failed += failed;
  if (failed > 0) failures.push(name);
};

const headline = (name) => process.stdout.write(`\n== ${name}\n`);

/** A check that either holds or does not. */
const check = async (name, args) => {
  headline(name);
  const code = await loudly(node, args);
  note(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1);
};

/** A suite that counts its own tests; one that ends badly without a failed test, or that ran none, is a failure too. */
const suite = async (name, args, env, counts, file) => {
  headline(name);
  const output = path.join(results, file);
  const code = await loudly(node, args(output), { env: { ...process.env, ...env } });
  const { passed, failed } = existsSync(output)
    ? counts(JSON.parse(readFileSync(output, 'utf8')))
    : { passed: 0, failed: 0 };
  note(name, passed, failed || (code === 0 && passed > 0 ? 0 : 1));
};

const vitest = (name, env, ...args) =>
  suite(
    name,
    (output) => [
      module('vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${output}`,
      ...args,
    ],
    env,
    (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }),
    `${name.replaceAll(/\W+/g, '-')}.json`,
  );

const playwright = (name, project) =>
  suite(
    name,
    () => [module('@playwright', 'test', 'cli.js'), 'test', `--project=${project}`],
    { ...walked, DENTARIUM_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(results, `${project}.json`) },
    ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
    `${project}.json`,
  );

/** Another PostgreSQL than the one in the package, newest first: the archive must run on both. */
const otherPostgres = () => {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  return versions
    .map((version) => path.join(debian, String(version), 'bin'))
    .find((bin) => existsSync(path.join(bin, 'initdb')));
};

await check('types', [module('typescript', 'bin', 'tsc'), '--noEmit', '-p', path.join(root, 'tsconfig.json')]);
await check('lint', [module('@biomejs', 'biome', 'bin', 'biome'), 'ci', root]);
await vitest('unit, paths, server', walked);
const bin = otherPostgres();
if (bin) await vitest(`server on ${bin}`, { DENTARIUM_TEST_POSTGRES_BIN: bin }, '--project', 'server');
else
  process.stdout.write('\n== server on another PostgreSQL: not run, none is installed (apt-get install postgresql)\n');
await playwright('pixels in the browser', 'gpu');
await playwright('end to end', 'e2e');
await check('what was walked of the machines', [path.join(root, 'tests', 'cover', 'main.ts')]);

process.stdout.write(failures.length ? `\nFailed: ${failures.join(', ')}\n` : '\n');
process.stdout.write(`${score.passed} passed, ${score.failed} failed\n`);
process.exit(score.failed === 0 && score.passed > 0 ? 0 : 1);
