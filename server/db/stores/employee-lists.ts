import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { employeeSorts } from '../../../contract/users.ts';
import type { ListCursors } from '../list-cursors.ts';
import { type ListDescription, type ListPage, type ListRequest, listPage } from '../list-page.ts';
import { wordsIn } from '../list-search.ts';
import type { Schema } from '../schema.ts';
import { type EmployeeRow, employeesByIds } from './employee-store.ts';

type EmployeeSort = (typeof employeeSorts)[number];

/** Scope of a list: a clinic, the super administrators, or everybody, with them or without. */
export type EmployeesOf = { readonly customerId: string } | 'super-administrators' | 'clinics' | 'everybody';

export interface EmployeeRequest extends ListRequest<EmployeeSort> {
  readonly status?: 'active' | 'inactive' | undefined;
}

export interface EmployeePage extends Omit<ListPage, 'ids'> {
  readonly data: EmployeeRow[];
}

/** `NOT IN` yields unknown for NULL, so NULL is tested separately. */
const isInOpenClinic = sql<boolean>`(account.customer_id is null or
  account.customer_id not in (select customer.id from customer where customer.deleted_at is not null))`;

const isOf = (list: EmployeesOf): RawBuilder<boolean> => {
  if (list === 'everybody') return sql<boolean>`true`;
  if (list === 'clinics') return sql<boolean>`account.customer_id is not null`;
  if (list === 'super-administrators') return sql<boolean>`account.customer_id is null`;
  return sql<boolean>`account.customer_id = ${list.customerId}`;
};

/** Part of a personal number as typed. */
const isNumber = /^\d[\d-]{2,}\d$/;

/** Each word is a prefix of a word in the names or the e-mail address; a number may occur anywhere in the personal number. */
const isFound = (q: string): RawBuilder<boolean>[] =>
  q
    .split(/\s+/)
    .flatMap((word) =>
      isNumber.test(word)
        ? [sql<boolean>`account.search_text like ${`%${word.replaceAll('-', '')}%`}`]
        : wordsIn(sql`account.search_text`, word),
    );

/** The same for colleagues, who cannot search personal numbers: those follow the #. */
const isFoundByColleagues = (q: string): RawBuilder<boolean>[] => [
  ...wordsIn(sql`account.search_text`, q),
  ...wordsIn(sql`split_part(account.search_text, '#', 1)`, q),
];

const name = { nameKey: sql<string>`account.name_key` };

/** The indexes of migrations 014 and 045 use these expressions. */
const keys = {
  name: [name],
  email: [sql`lower(account.email)`],
  role: [{ nameKey: sql<string>`account.role_key` }, name],
  status: [sql`(not account.is_active)`, name],
  hiredSince: [sql`coalesce(account.hired_since, 'infinity'::date)`, name],
} satisfies ListDescription<EmployeeSort>['keys'];

/** @param asColleague whether `q` searches only names and e-mail addresses */
export const employeesPage = async (
  db: Kysely<Schema>,
  cursors: ListCursors,
  list: EmployeesOf,
  request: EmployeeRequest,
  asColleague = false,
): Promise<EmployeePage> => {
  const { q, status } = request;
  const conditions = [
    isOf(list),
    isInOpenClinic,
    ...(status ? [sql<boolean>`account.is_active = ${status === 'active'}`] : []),
    ...(q ? (asColleague ? isFoundByColleagues(q) : isFound(q)) : []),
  ];
  const found = conditions.reduce(
    (query, condition) => query.where(condition),
    db.selectFrom('account').where('account.deleted_at', 'is', null),
  );
  const listName = ['people', typeof list === 'string' ? list : list.customerId, status ?? '', asColleague].join('/');
  const described = { cursors, list: listName, keys, id: sql<string>`account.id` };
  const { ids, ...page } = await listPage(db, found, described, request);
  return { ...page, data: await employeesByIds(db, ids) };
};
