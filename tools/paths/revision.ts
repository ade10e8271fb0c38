import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ComparablePaths, comparablePaths } from './since.ts';
import { UsageError } from './usage-error.ts';

const root = path.join(import.meta.dirname, '../..');
/** Current place of the program, and its place until version 0.2. */
const entries = ['tools/paths/main.ts', 'tests/machines/paths/main.ts'];
const maxBytes = 1024 ** 3;

const git = (args: readonly string[]): string => {
  const quiet = ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: quiet }).trim();
};

const commitOf = (revision: string): string => {
  try {
    return git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  } catch {
    throw new UsageError(`git finds no revision "${revision}".`);
  }
};

const unpack = (commit: string, folder: string): void => {
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: maxBytes });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
};

const runProgram = (program: string, args: readonly string[], commit: string): void => {
  try {
    execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new UsageError(`The paths of revision ${commit.slice(0, 10)} could not be generated:\n${output}`);
  }
};

/** Returns the paths of an earlier revision: its files are unpacked, and its own program generates them. `machine` null: all. */
export const pathsOfRevision = (revision: string, machine: string | null, cover: string): ComparablePaths => {
  const commit = commitOf(revision);
  const folder = mkdtempSync(path.join(tmpdir(), 'dentarium-paths-'));
  try {
    const [tree, out] = [path.join(folder, 'tree'), path.join(folder, 'out')];
    mkdirSync(tree);
    unpack(commit, tree);
    const entry = entries.find((file) => existsSync(path.join(tree, file)));
    if (!entry) throw new UsageError(`Revision ${commit.slice(0, 10)} cannot generate test paths.`);
    // Until the tools became English only, paths were Swedish by default.
    const language = existsSync(path.join(tree, 'locales', 'sv', 'machines.json')) ? ['--lang', 'en'] : [];
    const only = machine === null ? [] : ['--machine', machine];
    const args = ['--format', 'json', '--cover', cover, '--out', out, ...language, ...only];
    runProgram(path.join(tree, entry), args, commit);
    const files = readdirSync(out)
      .filter((name) => name.endsWith('.json') && name !== 'paths.schema.json')
      .map((name) => comparablePaths.parse(JSON.parse(readFileSync(path.join(out, name), 'utf8'))));
    return { machines: files.flatMap((one) => one.machines) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
