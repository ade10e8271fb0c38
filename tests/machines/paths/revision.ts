import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Complaint } from './complaint.ts';
import { type PathsOfMachine, type TestPaths, testPaths } from './document.ts';

const root = path.join(import.meta.dirname, '../../..');
const entry = path.join('tests', 'machines', 'paths', 'main.ts');
const mostBytes = 1024 ** 3;

const git = (args: readonly string[]): string => {
  const quiet = ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: quiet }).trim();
};

const commitOf = (revision: string): string => {
  try {
    return git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  } catch {
    throw new Complaint(`git knows no revision "${revision}".`);
  }
};

const unpack = (commit: string, folder: string): void => {
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: mostBytes });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
};

const askItself = (program: string, args: readonly string[], commit: string): void => {
  try {
    execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Complaint(`Revision ${commit.slice(0, 10)} could not tell its test paths:\n${told}`);
  }
};

interface RevisionWish {
  /** null: every machine. */
  readonly machine: string | null;
  readonly cover: string;
  readonly language: string;
}

/** What an earlier revision says of its own paths: its files are laid out beside, and its own program is asked. */
export const pathsOfRevision = (revision: string, wish: RevisionWish) => {
  const commit = commitOf(revision);
  const folder = mkdtempSync(path.join(tmpdir(), 'dentarium-paths-'));
  try {
    const [tree, out] = [path.join(folder, 'tree'), path.join(folder, 'out')];
    mkdirSync(tree);
    unpack(commit, tree);
    if (!existsSync(path.join(tree, entry)))
      throw new Complaint(`Revision ${commit.slice(0, 10)} is older than this command: it cannot tell its test paths.`);
    const only = wish.machine === null ? [] : ['--machine', wish.machine];
    const args = ['--format', 'json', '--cover', wish.cover, '--lang', wish.language, '--out', out, ...only];
    askItself(path.join(tree, entry), args, commit);
    const machines = readdirSync(out)
      .filter((name) => name.endsWith('.json') && name !== 'paths.schema.json')
      .map((name) => testPaths.parse(JSON.parse(readFileSync(path.join(out, name), 'utf8'))));
    const [first] = machines;
    if (!first) throw new Complaint(`Revision ${commit.slice(0, 10)} tells no test paths.`);
    const all: readonly PathsOfMachine[] = machines.flatMap((one) => one.machines);
    return { commit, paths: { ...first, machines: [...all] } satisfies TestPaths };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
