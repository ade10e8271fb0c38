import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { long, onOtherPostgres } from '../tests/tiers.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, root } from './processes.mjs';
import { endWith, Plain } from './terminal.mjs';

const command = process.argv[2] ?? 'test';
if (!['check', 'test', 'long'].includes(command))
  endWith(new Plain(`There is no tier "${command}": check, test, long.`));

const node = await ensureDependencies().catch(endWith);
if (command !== 'check') await ensureBuild(node).catch(endWith);
const browser = command === 'check' ? '' : await ensureBrowser(node).catch(endWith);

const module = (...parts) => path.join(root, 'node_modules', ...parts);
const results = path.join(root, 'test-results');
const cache = module('.cache');
const cover = path.join(results, 'cover');
if (command !== 'long') rmSync(results, { recursive: true, force: true });
for (const folder of [cover, cache]) mkdirSync(folder, { recursive: true });

const specsIn = (folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `${folder}/${name}`);
const isGpu = (file) => file.startsWith('tests/gpu/');
const gpuLong = long.filter(isGpu);
const vitestLong = long.filter((file) => !isGpu(file));
const gpuQuick = specsIn('tests/gpu').filter((file) => !long.includes(file));
const unknown = [...long, ...onOtherPostgres].filter((file) => !existsSync(path.join(root, file)));
if (unknown.length > 0) endWith(new Plain(`tests/tiers.mjs names files that do not exist: ${unknown.join(', ')}.`));

const fileNameOf = (name) => name.replaceAll(/\W+/g, '-');
const script = (name, ...args) => ({ name, args });

/** One failed test with the first lines of its errors. */
const failure = (file, title, messages) => {
  const lines = messages.flatMap((message) => stripVTControlCharacters(message).split('\n').slice(0, 25));
  return [`${file}: ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
};

const vitest = (name, projects, { args = [], env = {} } = {}) => {
  const report = path.join(results, `${fileNameOf(name)}.json`);
  return {
    name,
    args: [
      module('vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...projects.flatMap((project) => ['--project', project]),
      ...args,
    ],
    env,
    report,
    counts: ({ numPassedTests, numFailedTests }) => ({ passed: numPassedTests, failed: numFailedTests }),
    failures: ({ testResults }) =>
      testResults
        .filter(({ status }) => status === 'failed')
        .flatMap(({ name: file, message, assertionResults }) => {
          const tests = assertionResults.filter(({ status }) => status === 'failed');
          const named = tests.map(({ fullName, failureMessages }) => [fullName, failureMessages]);
          return (named.length > 0 ? named : [['the file could not be run', [message]]]).map(([title, messages]) =>
            failure(path.relative(root, file), title, messages),
          );
        }),
  };
};
const without = (files) => ({ args: files.flatMap((file) => ['--exclude', file]) });

const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)];

const playwright = (name, project, selection) => {
  const report = path.join(results, `${fileNameOf(name)}.json`);
  const output = path.join(results, `playwright-${fileNameOf(name)}`);
  return {
    name,
    args: [module('@playwright', 'test', 'cli.js'), 'test', `--project=${project}`, `--output=${output}`, ...selection],
    env: { DENTARIUM_COVER: cover, DENTARIUM_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    report,
    counts: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
    failures: (result) =>
      specsOf(result)
        .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
        .map(({ file, title, tests }) =>
          failure(
            file,
            title,
            tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message))),
          ),
        ),
  };
};

/** Servers and browsers under test wait for databases, files and each other: one more worker than processors is a fifth faster. */
const waiting = availableParallelism() + 1;

/** Another PostgreSQL than the bundled one, newest first: the archive must run on both. */
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

const serverOnOtherPostgres = () => {
  const bin = otherPostgres();
  if (bin) {
    const options = {
      args: [`--maxWorkers=${waiting}`, ...onOtherPostgres],
      env: { DENTARIUM_TEST_POSTGRES_BIN: bin },
    };
    return [vitest(`server on ${bin}`, ['server'], options)];
  }
  process.stdout.write(
    'No other PostgreSQL is installed (apt-get install postgresql): the server is not tested on it.\n',
  );
  return [];
};

const types = script(
  'types',
  module('typescript-native', 'bin', 'tsc'),
  '--noEmit',
  '-p',
  path.join(root, 'tsconfig.json'),
  // More of them repeat each other's work: four take twice the processor time.
  '--checkers',
  '1',
  '--incremental',
  '--tsBuildInfoFile',
  path.join(cache, 'types.tsbuildinfo'),
);
const lint = script('lint', module('@biomejs', 'biome', 'bin', 'biome'), 'ci', root);
const unit = (env = {}) =>
  vitest('unit', ['architecture', 'contract', 'dicom', 'inspect', 'machines', 'package', 'services', 'viewer'], {
    ...without(vitestLong),
    env,
  });

/** The report needs the records of `npm test` too. */
const coverage = () => {
  if (readdirSync(cover).some((name) => name.startsWith('paths-')))
    return [script('coverage of the machines', path.join(root, 'tools', 'coverage', 'main.ts'))];
  process.stdout.write('The coverage of the machines is reported only when npm test has run before.\n');
  return [];
};

/** Two sequences of stages that may run side by side, and what comes after both. */
const plan = {
  check: () => [[[unit()], [types, lint]], []],
  test: () => [
    [
      [
        // The transitions that the machines take are saved for the report of `npm run test:long`.
        unit({ DENTARIUM_COVER: cover }),
        vitest('server', ['server*'], { args: [`--maxWorkers=${waiting}`, ...without(vitestLong).args] }),
        vitest('views', ['views'], { ...without(vitestLong), env: { DENTARIUM_COVER: cover } }),
      ],
      [
        types,
        lint,
        playwright('gpu', 'gpu', gpuQuick),
        playwright('journeys', 'e2e', ['--grep', '@quick', `--workers=${waiting}`]),
      ],
    ],
    [],
  ],
  long: () => [
    [
      // In a VM context (vitest.config.ts) a long file of views takes longer than in a process.
      [
        vitest('long', [], {
          args: ['--pool=forks', `--maxWorkers=${waiting}`, ...vitestLong],
          env: { DENTARIUM_COVER: cover },
        }),
        ...serverOnOtherPostgres(),
      ],
      [playwright('gpu, long', 'gpu', gpuLong), playwright('journeys, long', 'e2e', ['--grep-invert', '@quick'])],
    ],
    coverage(),
  ],
};

const ended = [];
const begun = performance.now();
const secondsSince = (time) => Math.round((performance.now() - time) / 1000);

/** A suite that ends badly without a failed test, or that ran none, counts as one failure: the end of its log says why. */
const resultOf = (code, { name, report, counts, failures }, log) => {
  const result = report && existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  const { passed, failed } = result ? counts(result) : { passed: !report && code === 0 ? 1 : 0, failed: 0 };
  if (code === 0 && failed === 0 && passed > 0) return { passed, failed, failures: [] };
  const named = result ? failures(result) : [];
  const lastLines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
  return {
    passed,
    failed: failed || 1,
    failures: named.length > 0 ? named : [failure(name, 'no test failed', [lastLines])],
  };
};

/** The output of parallel stages is printed when a stage ends; until then it is in its log. */
const run = async (stage) => {
  const { name, args, env, report } = stage;
  const log = path.join(results, `${fileNameOf(name)}.log`);
  if (report) rmSync(report, { force: true });
  process.stdout.write(`-- ${name} begins: ${path.relative(root, log)}\n`);
  const time = performance.now();
  const output = openSync(log, 'w');
  const code = await loudly(node, args, { env: { ...process.env, ...env }, stdio: ['ignore', output, output] });
  closeSync(output);
  ended.push({ name, ...resultOf(code, stage, log), seconds: secondsSince(time) });
  process.stdout.write(`\n== ${name}\n${readFileSync(log, 'utf8')}\n`);
};

const runAll = async (stages) => {
  for (const stage of stages) await run(stage);
};

const [sideBySide, afterwards] = plan[command]();
// On few cores stages side by side only slow each other down, and time limits in tests are missed.
if (availableParallelism() >= 4) await Promise.all(sideBySide.map(runAll));
else for (const stages of sideBySide) await runAll(stages);
await runAll(afterwards);

const report = ended
  .flatMap(({ name, failures }) => failures.map((failure) => `failed: ${name}: ${failure}\n`))
  .join('');
process.stdout.write(report);
writeFileSync(path.join(results, `failures-${command}.txt`), report);
for (const { name, passed, failed, seconds } of ended)
  process.stdout.write(`${String(seconds).padStart(5)} s  ${name}: ${passed} passed, ${failed} failed\n`);
const sum = (key) => ended.reduce((total, stage) => total + stage[key], 0);
const [passed, failed] = [sum('passed'), sum('failed')];
process.stdout.write(`${String(secondsSince(begun)).padStart(5)} s  in all\n\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
