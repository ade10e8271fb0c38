import type { z } from 'zod';
import { bounds, dateOnly } from '../../../../contract/bounds.ts';
import type { ImportFile, importPatient, writtenPatient } from '../../../../contract/imports.ts';
import { birthDateOf } from '../../forms/birth-date.ts';
import type { PatientFields } from '../../forms/patient-form.tsx';
import { groupsOfName } from '../../ui/person-name.ts';

export type FileIdentity = z.infer<typeof writtenPatient>;
export type FoundPatient = z.infer<typeof importPatient>;

/** The attributes by which two identities are compared. */
export const facets = ['personalNumber', 'name', 'birthDate'] as const;
export type Facet = (typeof facets)[number];

const normalize = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Some devices write names in capitals only. */
const titleCase = (word: string) =>
  word.length > 1 && word === word.toUpperCase()
    ? word.toLowerCase().replace(/(^|[\s'’-])\p{L}/gu, (start) => start.toUpperCase())
    : word;

/**
 * Splits a DICOM person name (family^given^middle, PS3.5 6.2.1.1). Without `^` a comma separates last from first name;
 * without a comma the first word is the first name. The user reviews it before it is saved.
 */
export const splitName = (name: string | null): { firstName: string; lastName: string } => {
  const [group = ''] = groupsOfName(name);
  const separator = ['^', ','].find((sign) => group.includes(sign));
  if (separator) {
    const [family = '', ...given] = group.split(separator).map((part) => part.trim());
    const firstName = given.slice(0, 2).filter(Boolean).join(' ');
    return { firstName: titleCase(firstName), lastName: titleCase(family) };
  }
  const [first = '', ...rest] = group.trim().split(/\s+/);
  return rest.length === 0
    ? { firstName: '', lastName: titleCase(first) }
    : { firstName: titleCase(first), lastName: titleCase(rest.join(' ')) };
};

const isDay = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31;
/** Coordination numbers (Sweden) add 60 to the day, D-numbers (Norway) 40. */
const plainDay = (day: number) => (day > 60 ? day - 60 : day > 40 ? day - 40 : day);

/**
 * Returns the patient id as a Nordic personal number when it is a date (year or day first) followed by three or four characters,
 * with the century from the birth date; '' for other ids.
 */
export const personalNumberIn = (patientId: string | null, birthDate: string | null): string => {
  const written = (patientId ?? '').replace(/\s+/g, '');
  const digits = written.replace(/[-+]/g, '').toUpperCase();
  if (!/^(\d{6}|\d{8})[-+]?(\d{3}[\dA-Z]|\d{5})$/i.test(written) || digits.length > 12) return '';
  const date = digits.length === 12 ? digits.slice(2) : digits;
  const [first, second, third] = [0, 2, 4].map((at) => Number(date.slice(at, at + 2))) as [number, number, number];
  if (!isDay(second, plainDay(third)) && !isDay(second, plainDay(first))) return '';
  const yearFirst = birthDate?.replaceAll('-', '').slice(2);
  return digits.length === 10 && birthDate && digits.startsWith(yearFirst ?? ' ')
    ? `${birthDate.slice(0, 2)}${digits}`
    : digits;
};

const sexOf = (sex: string | null): PatientFields['sex'] => (sex === 'F' || sex === 'M' || sex === 'O' ? sex : null);

/** Returns initial values of the new-patient form from the identity in the files, limited to valid values. */
export const fieldsFrom = (named: FileIdentity | null): PatientFields => {
  const personalNumber = personalNumberIn(named?.patientId ?? null, named?.birthDate ?? null);
  const written = dateOnly.safeParse(named?.birthDate);
  const clipped = (text: string) => text.slice(0, bounds.firstName[1]);
  const { firstName, lastName } = splitName(named?.name ?? null);
  return {
    firstName: clipped(firstName),
    lastName: clipped(lastName),
    personalNumber,
    birthDate: written.success ? written.data : birthDateOf(personalNumber),
    sex: sexOf(named?.sex ?? null),
    comments: null,
    protectedIdentity: false,
  };
};

const numberKey = (number: string) => number.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase();

const agrees: Readonly<Record<Facet, (named: FileIdentity, patient: FoundPatient) => boolean | null>> = {
  personalNumber: (named, patient) => {
    const [one, other] = [personalNumberIn(named.patientId, named.birthDate), numberKey(patient.personalNumber)];
    return one === '' || other === '' ? null : one.slice(-10) === other.slice(-10);
  },
  name: (named, patient) => {
    const groups = groupsOfName(named.name).map((group) => normalize(group.replaceAll('^', ' ')));
    const own = normalize(`${patient.firstName} ${patient.lastName}`);
    const written = groups.filter((words) => words.length > 0);
    if (written.length === 0) return null;
    return written.some((words) => {
      const [fewer, more] = words.length < own.length ? [words, own] : [own, words];
      return fewer.length > 1 && fewer.every((word) => more.includes(word));
    });
  },
  birthDate: (named, patient) => (named.birthDate && patient.birthDate ? named.birthDate === patient.birthDate : null),
};

/** Compares the attributes that both sides have, for display only: the server decides whether they match. */
export const comparison = (named: FileIdentity | null, patient: FoundPatient | null) => {
  const verdicts = facets.map((facet) => ({ facet, agrees: named && patient ? agrees[facet](named, patient) : null }));
  return {
    alike: verdicts.filter((verdict) => verdict.agrees === true).map(({ facet }) => facet),
    apart: verdicts.filter((verdict) => verdict.agrees === false).map(({ facet }) => facet),
  };
};

/** Returns the identities named by the files with their file counts, most frequent first. */
export const identitiesIn = (
  files: readonly ImportFile[],
): readonly { readonly named: FileIdentity; readonly files: number }[] => {
  const identities = new Map<string, { named: FileIdentity; files: number }>();
  for (const { patient } of files) {
    if (!patient) continue;
    const key = [patient.name, patient.patientId, patient.birthDate].join('\n');
    const known = identities.get(key);
    if (known) known.files += 1;
    else identities.set(key, { named: patient, files: 1 });
  }
  return [...identities.values()].toSorted((one, other) => other.files - one.files);
};

/** Returns true when two studies name the same patient. */
export const isSameIdentity = (one: FileIdentity | null, other: FileIdentity | null): boolean =>
  one !== null &&
  other !== null &&
  (one.name ?? one.patientId) !== null &&
  one.name === other.name &&
  one.patientId === other.patientId &&
  one.birthDate === other.birthDate;
