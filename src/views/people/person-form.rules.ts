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

/** What stands in the fields. */
export interface PersonValues extends Record<string, unknown> {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly personalNumber: string;
  readonly telephone: string;
  readonly hiredSince: string;
  /** Id of the one role; empty before it is chosen. */
  readonly roles: string;
  readonly azureUsername: string;
  readonly isActive: boolean;
  /** Of somebody new. */
  readonly password: string;
}

export const valuesOf = (
  known: Employee | null,
  country: Country | null,
  roles: readonly Role[],
  today: string,
): PersonValues => ({
  firstName: known?.firstName ?? '',
  lastName: known?.lastName ?? '',
  email: known?.email ?? '',
  personalNumber: known?.personalNumber ? writtenPersonalNumber(known.personalNumber, country) : '',
  telephone: known?.telephone ?? '',
  hiredSince: known?.hiredSince ?? (known ? '' : today),
  roles: known?.role.id ?? (roles.length === 1 ? (roles[0]?.id ?? '') : ''),
  azureUsername: known?.azureUsername ?? '',
  isActive: known?.isActive ?? true,
  password: '',
});

/** Roles that fit: the highest is for those who belong to no clinic, and they have no other. */
export const fittingRoles = (roles: readonly Role[], inClinic: boolean): readonly Role[] =>
  roles.filter((role) => isHighest(role) !== inClinic);

/** What is wrong with a number; one that stays as it was may be of another country, from before a move. */
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
