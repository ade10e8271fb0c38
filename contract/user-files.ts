import { z } from 'zod';
import { uuid } from './bounds.ts';
import { passwordLink } from './passwords.ts';
import { errorItem, problemCode } from './problem.ts';
import { needs, route } from './route.ts';
import { mailLanguage } from './sign-in.ts';

/** Columns of a file of users: the fields of the form. */
export const userFileColumns = [
  'firstName',
  'lastName',
  'email',
  'telephone',
  'personalNumber',
  'hiredSince',
  'role',
  'azureUsername',
] as const;
export type UserFileColumn = (typeof userFileColumns)[number];

export const userFileLinesAtMost = 1_000;
/** Lines of one call that creates users. */
export const userFileLinesAtOnce = 10;

const lineNumber = z.int().min(1).max(1_000_000);
/** Any text: the server validates each line by the rules of the form, so that one line does not fail the others. */
const cell = z.string().max(500);

/** One user of a file. `roles`: the id of the role; empty for a name that the caller's browser does not know. */
export const userFileLine = z.strictObject({
  line: lineNumber,
  firstName: cell,
  lastName: cell,
  email: cell,
  telephone: cell,
  personalNumber: cell,
  hiredSince: cell,
  roles: z.array(cell).max(1),
  azureUsername: cell,
});
export type UserFileLine = z.infer<typeof userFileLine>;

/** `repeatedLine` of the field email in `vars`: an earlier line has the same address. */
export const rejectedLine = z.object({
  line: lineNumber,
  outcome: z.literal('rejected'),
  code: problemCode,
  errors: z.array(errorItem),
  claims: z.array(z.string()),
});
/** The clinic already has a user with this e-mail address, who stays as is. */
export const existingLine = z.object({ line: lineNumber, outcome: z.literal('exists') });

const checkedLine = z.discriminatedUnion('outcome', [
  z.object({ line: lineNumber, outcome: z.literal('new') }),
  existingLine,
  rejectedLine,
]);
export type CheckedLine = z.infer<typeof checkedLine>;
export type RejectedLine = z.infer<typeof rejectedLine>;

/** `none`: the user is added, but not invited, for the reason of the code. */
const invitation = z.discriminatedUnion('delivery', [
  ...passwordLink.options,
  z.object({ delivery: z.literal('none'), code: problemCode }),
]);

const addedLine = z.discriminatedUnion('outcome', [
  z.object({ line: lineNumber, outcome: z.literal('created'), id: uuid, invitation }),
  existingLine,
  rejectedLine,
]);
export type AddedLine = z.infer<typeof addedLine>;

/** Says what would happen to each line of a file of users, and changes nothing. */
export const userFileCheck = route({
  method: 'POST',
  path: '/api/Account/file_check',
  access: needs('user.create'),
  body: z.strictObject({ customerId: uuid, lines: z.array(userFileLine).min(1).max(userFileLinesAtMost) }),
  reply: z.object({ lines: z.array(checkedLine) }),
});

/**
 * Adds the users of some lines and invites each: with a mail server by e-mail, which is queued, else by a link in the reply. A line that is rejected or
 * exists changes nothing and does not stop the others.
 */
export const userFileAdd = route({
  method: 'POST',
  path: '/api/Account/file_add',
  access: needs('user.create'),
  body: z.strictObject({
    customerId: uuid,
    lines: z.array(userFileLine).min(1).max(userFileLinesAtOnce),
    /** As in `resetPasswordRequest`. */
    redirectUrl: z.url(),
    language: mailLanguage.optional(),
  }),
  reply: z.object({ lines: z.array(addedLine) }),
});
