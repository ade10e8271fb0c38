import { useState } from 'react';
import type { Role } from '../../../../contract/roles.ts';
import type { MailLanguage } from '../../../../contract/sign-in.ts';
import { type AddedLine, type CheckedLine, userFileLinesAtOnce } from '../../../../contract/user-files.ts';
import { useAdministration } from '../../app/loaded-services.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import type { ReportedFailure } from '../../language/failure-text.ts';
import { today } from '../../ui/dates.ts';
import { type FileUser, lineOf, readUserFile, type UserFileProblem } from './read-user-file.ts';

export type LineResult = CheckedLine | AddedLine;

/** `done`: adding ended, with all lines or before, by `failure` or because it was stopped. */
type Step = 'choosing' | 'checking' | 'checked' | 'adding' | 'done';

interface UserImport {
  readonly step: Step;
  readonly fileName: string;
  readonly users: readonly FileUser[];
  /** By line. */
  readonly results: ReadonlyMap<number, LineResult>;
  readonly problem: UserFileProblem | null;
  readonly failure: ReportedFailure | null;
}

const nothing: UserImport = {
  step: 'choosing',
  fileName: '',
  users: [],
  results: new Map(),
  problem: null,
  failure: null,
};

interface ImportOptions {
  readonly clinicId: string;
  readonly roles: readonly Role[];
  /** Of the invitations. */
  readonly language: MailLanguage;
}

const batchesOf = (users: readonly FileUser[]): readonly (readonly FileUser[])[] =>
  Array.from({ length: Math.ceil(users.length / userFileLinesAtOnce) }, (_, index) =>
    users.slice(index * userFileLinesAtOnce, (index + 1) * userFileLinesAtOnce),
  );

/** Reads a file of users, has the archive check it, and adds its new users some lines at a time. */
export const useUserImport = ({ clinicId, roles, language }: ImportOptions) => {
  const administration = useAdministration();
  const [state, setState] = useState(nothing);
  const [stop, setStop] = useState<AbortController | null>(null);

  const choose = async (file: File): Promise<void> => {
    const started = { ...nothing, fileName: file.name };
    setState({ ...started, step: 'checking' });
    const read = readUserFile(new Uint8Array(await file.arrayBuffer()), today());
    if ('problem' in read) return setState({ ...started, problem: read.problem });
    try {
      const { lines } = await administration.checkUserLines(
        clinicId,
        read.users.map((user) => lineOf(user, roles)),
      );
      const results = new Map(lines.map((line) => [line.line, line]));
      setState({ ...started, step: 'checked', users: read.users, results });
    } catch (error) {
      setState({ ...started, failure: failureOfQuery(error) });
    }
  };

  /** Adds the users that are still new: all that the check named, or after a failure the rest of them. */
  const add = async (): Promise<void> => {
    const controller = new AbortController();
    setStop(controller);
    setState((before) => ({ ...before, step: 'adding', failure: null }));
    try {
      const waiting = state.users.filter(({ line }) => state.results.get(line)?.outcome === 'new');
      for (const batch of batchesOf(waiting)) {
        if (controller.signal.aborted) break;
        const { lines } = await administration.addUserLines({
          customerId: clinicId,
          language,
          lines: batch.map((user) => lineOf(user, roles)),
        });
        setState((before) => ({
          ...before,
          results: new Map([...before.results, ...lines.map((line) => [line.line, line] as const)]),
        }));
      }
    } catch (error) {
      setState((before) => ({ ...before, failure: failureOfQuery(error) }));
    }
    setState((before) => ({ ...before, step: 'done' }));
    setStop(null);
  };

  return { ...state, choose, add, stop: () => stop?.abort(), again: () => setState(nothing) };
};
