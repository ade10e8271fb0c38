import { uuidFrom } from '../dicom/write/uid.ts';
import { testOrganisationNumber, testPersonalNumber } from './personal-number.ts';

/** Generates thousands of invented clinics, staff and patients; each is determined by its number. */
export interface ManyClinic {
  readonly id: string;
  readonly name: string;
  readonly organisationNumber: string;
  readonly customerNumber: string;
  readonly address: string;
  readonly city: string;
  readonly zipcode: string;
  readonly telephone: string;
}

export interface InventedIdentity {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly sex: 'M' | 'F';
  readonly personalNumber: string;
}

const women =
  'Anna Åsa Astrid Märta Saga Linnéa Freja Ebba Siri Johanna Päivi Aino Greta Annika Ingebjørg Åse Kirsten Sigrid Malin Ida Elsa Maja Alva Ella Wilma Hanna Sofie Mette Solveig Anne-Marie Zeynep Amira Katarzyna Renée'.split(
    ' ',
  );
const men =
  'Björn Kalle Torbjörn Nils Olof Anders Gunnar Viktor Leif Mikko Oskar Hugo Per-Erik Søren Jørgen Øystein Emil Rasmus Lars Stig Åke Örjan Göran Elias William Noah Henrik Pål Bjørn Jan-Åke Ahmed Yusuf Krzysztof André'.split(
    ' ',
  );
const beginnings =
  'Berg Lind Ström Sjö Ek Björk Åker Öst Häll Norr Söder Väster Gran Hed Holm Sand Sten Lund Ny Ahl Grön Dal Fors Back Rosen Äng Al Hag Ny Bro'.split(
    ' ',
  );
const ends = 'gren qvist ström lund man berg dahl blom stedt vall ås ell in mark'.split(' ');
const whole =
  'Andersson Johansson Karlsson Nilsson Öberg Ek Åkesson Mäkelä Hämäläinen Sørensen Kjær Mølgaard Ærøskov Bjerregård Haugås Nordbø Sætre Krøyer Fjellvåg Thorlund Grønlie Söderqvist-Rönnbäck Yılmaz Nowak'.split(
    ' ',
  );
const places = 'heden viken torp by näs sjön hult ånger mark sund'.split(' ');
const kinds = ['Tandkliniken', 'Tandhuset', 'Tandläkarna', 'Tandvården', 'Munhälsan'];

/** Pseudo-random numbers of a seed (splitmix32), in [0, 1). */
export const randomNumber = (seed: number, index: number): number => {
  let mixed = (Math.imul(seed + 1, 0x9e3779b9) + Math.imul(index + 1, 0x85ebca6b)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
};

const oneOf = (list: readonly string[], chance: number): string => list[Math.floor(chance * list.length)] ?? '';

const lastNameOf = (seed: number): string => {
  const single = (index: number) =>
    randomNumber(seed, index) < 0.3
      ? oneOf(whole, randomNumber(seed, index + 1))
      : `${oneOf(beginnings, randomNumber(seed, index + 1))}${oneOf(ends, randomNumber(seed, index + 2))}`;
  return randomNumber(seed, 20) < 0.04 ? `${single(21)}-${single(24)}` : single(21);
};

const day = 86_400_000;
const dateAfter = (first: string, days: number): string =>
  new Date(Date.parse(`${first}T00:00:00Z`) + days * day).toISOString().slice(0, 10);

/** Twenty test numbers exist per day, which limits the number of patients; the step is coprime to the number of days. */
const identityAt = (
  kind: string,
  index: number,
  { first, days }: { first: string; days: number },
): InventedIdentity => {
  const cycle = Math.floor(index / days);
  if (cycle > 19) throw new RangeError(`There are test numbers for ${20 * days} of these identities, not more`);
  const sex = cycle % 2 ? 'M' : 'F';
  const birthDate = dateAfter(first, (index * 7_919) % days);
  const id = uuidFrom(`many/${kind}/${index}`);
  const firstName = oneOf(sex === 'M' ? men : women, randomNumber(index, 10));
  const personalNumber = testPersonalNumber(birthDate, sex, cycle >> 1);
  return { id, firstName, lastName: lastNameOf(index), birthDate, sex, personalNumber };
};

/** Born from 1925 to 2024. */
export const manyPatient = (index: number): InventedIdentity =>
  identityAt('patient', index, { first: '1925-01-01', days: 36_500 });

/** Born from 1955 to 2002. */
export const manyEmployee = (index: number): InventedIdentity =>
  identityAt('user', index, { first: '1955-01-01', days: 17_500 });

/** Maximum counts. */
export const maximumCounts = { patients: 20 * 36_500, users: 20 * 17_500 } as const;

/** Telephone numbers of the range reserved for fiction. */
export const freeTelephone = (index: number): string => `070-174 06 ${String(5 + (index % 95)).padStart(2, '0')}`;

export const manyClinic = (index: number): ManyClinic => {
  const city = `${oneOf(beginnings, randomNumber(index, 1))}${oneOf(places, randomNumber(index, 2))}`;
  return {
    id: uuidFrom(`many/clinic/${index}`),
    name: `${oneOf(kinds, randomNumber(index, 3))} ${city}${randomNumber(index, 4) < 0.3 ? ` ${1 + Math.floor(randomNumber(index, 5) * 9)}` : ''}`,
    organisationNumber: testOrganisationNumber(`40${2 + (index % 8)}${String(index).padStart(6, '0')}`),
    customerNumber: `MANY-${String(index + 1).padStart(5, '0')}`,
    address: `${oneOf(beginnings, randomNumber(index, 6))}vägen ${1 + Math.floor(randomNumber(index, 7) * 90)}`,
    city,
    zipcode: `${100 + Math.floor(randomNumber(index, 8) * 880)} 00`,
    telephone: freeTelephone(index),
  };
};
