import { type Kysely, sql } from 'kysely';

const statements = [
  // A wish for a letter holds no secret: what the letter says is made when it is sent. `email` is as it was asked for, whether or not there is
  // such an account, and is forgotten with the sending. No reference to `account`: asking touches nothing but this table.
  `create table letter (
    id uuid primary key, kind text not null, email text, account_id uuid, language text not null, page text not null,
    asked_at timestamptz not null default now(), try_at timestamptz not null default now(), tries integer not null default 0,
    sent_at timestamptz)`,
  'create index letter_waiting on letter (try_at) where sent_at is null',
  'create index letter_account on letter (account_id, sent_at)',
];

/** Letters that wait to be sent: a restart loses none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
