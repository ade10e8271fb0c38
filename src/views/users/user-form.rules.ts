import type { Country } from '../../../contract/customers.ts';
import {
  normalPersonalNumber,
  type PersonalNumberProblem,
  personalNumberProblem,
  personalNumberProblems,
  writtenPersonalNumber,
} from '../../../contract/personal-numbers.ts';
import { isHighest } from '../../../contract/role-rules.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Employee } from '../../../contract/users.ts';

/** Values of the fields. */
export interface UserValues extends Record<string, unknown> {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly personalNumber: string;
  readonly telephone: string;
  readonly hiredSince: string;
  /** Id of the role; empty before one is chosen. */
  readonly roles: string;
  readonly azureUsername: string;
  readonly isActive: boolean;
  /** A new user chooses the password by a link. */
  readonly invites: boolean;
  /** For new users who are not invited. */
  readonly password: string;
}

export const valuesOf = (
  known: Employee | null,
  country: Country | null,
  roles: readonly Role[],
  today: string,
): UserValues => ({
  firstName: known?.firstName ?? '',
  lastName: known?.lastName ?? '',
  email: known?.email ?? '',
  personalNumber: known?.personalNumber ? writtenPersonalNumber(known.personalNumber, country) : '',
  telephone: known?.telephone ?? '',
  hiredSince: known?.hiredSince ?? (known ? '' : today),
  roles: known?.role.id ?? (roles.length === 1 ? (roles[0]?.id ?? '') : ''),
  azureUsername: known?.azureUsername ?? '',
  isActive: known?.isActive ?? true,
  invites: known === null,
  password: '',
});

/** Returns the assignable roles: users without a clinic always have the highest role, and only they do. */
export const fittingRoles = (roles: readonly Role[], inClinic: boolean): readonly Role[] =>
  roles.filter((role) => isHighest(role) !== inClinic);

/** Returns the error of a personal number. An unchanged number is valid, since it may be of another country. */
export const numberProblem = (
  text: string,
  country: Country | null,
  before: string | null,
): PersonalNumberProblem | null =>
  before !== null && normalPersonalNumber(text) === normalPersonalNumber(before)
    ? null
    : personalNumberProblem(text, country);

export const isNumberProblem = (text: unknown): text is PersonalNumberProblem =>
  personalNumberProblems.some((problem) => problem === text);
