import type { Kysely } from 'kysely';
import { hasClaim } from '../../contract/claims.ts';
import type { MailLanguage } from '../../contract/sign-in.ts';
import type { AddedLine, UserFileLine } from '../../contract/user-files.ts';
import type { Schema } from '../db/schema.ts';
import { clinicsOfEmails } from '../db/stores/employee-store.ts';
import type { MailRequest } from '../db/stores/mail-queue.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import type { MailDestination } from '../mail/mailer.ts';
import { requireClinic } from './customer-changes.ts';
import { employeeChanges } from './employee-changes.ts';
import { giveResetLink } from './give-reset-link.ts';
import { createBodyOf, rejectionOf, type UserLines } from './user-file-check.ts';

interface AddDependencies {
  readonly db: Kysely<Schema>;
  readonly mailDestination: () => Promise<MailDestination>;
  readonly resetMinutes: number;
  readonly enqueue: (request: MailRequest) => Promise<void>;
}

interface AddRequest extends UserLines {
  readonly page: string;
  readonly language: MailLanguage;
}

type Invitation = Extract<AddedLine, { outcome: 'created' }>['invitation'];

/** Adds and invites the users of these lines, each in its own transaction, by the rules of the form. @throws ProblemError 'not-found' */
export const addUserLines = async (
  deps: AddDependencies,
  principal: Principal,
  { customerId, lines, page, language }: AddRequest,
): Promise<AddedLine[]> => {
  await requireClinic(deps.db, principal, customerId);
  const changes = employeeChanges(deps.db);

  /** A user who cannot be invited stays added, as with the form. */
  const invite = async (id: string): Promise<Invitation> => {
    try {
      if (!hasClaim(principal.permissions, 'user.update')) throw noRightError('user.update');
      return await giveResetLink(deps, principal, { id, page, language }, deps.enqueue);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { delivery: 'none', code: error.code };
    }
  };
  const isOfClinic = async ({ email }: UserFileLine): Promise<boolean> =>
    (await clinicsOfEmails(deps.db, [email.toLowerCase()])).get(email.toLowerCase()) === customerId;

  const add = async (line: UserFileLine): Promise<AddedLine> => {
    try {
      const { id } = await changes.create(principal, createBodyOf(line, customerId));
      return { line: line.line, outcome: 'created', id, invitation: await invite(id) };
    } catch (error) {
      const rejection = rejectionOf(line.line, error);
      return (await isOfClinic(line)) ? { line: line.line, outcome: 'exists' } : rejection;
    }
  };

  const added: AddedLine[] = [];
  for (const line of lines) added.push(await add(line));
  return added;
};
