/** Check digit over ten-digit Swedish numbers: the Luhn sum with weights 2 and 1 (Skatteverket, "modulus-10-metoden"). */
export const luhnDigit = (digits: string): number => {
  const sum = [...digits].reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return (10 - (sum % 10)) % 10;
};

/**
 * Returns an unassigned Swedish personal number of twelve digits. Birth numbers 980 to 999 are not assigned: Skatteverket
 * reserves them for its published test numbers ("Testpersonnummer", open data of Skatteverket). Odd for men, even for women.
 * @param birthDate YYYY-MM-DD
 * @param variant distinguishes identities of the same birth date and sex, 0 to 9
 * @throws RangeError when `variant` is outside the reserved range
 */
export const testPersonalNumber = (birthDate: string, sex: 'M' | 'F', variant = 0): string => {
  if (!Number.isInteger(variant) || variant < 0 || variant > 9)
    throw new RangeError('Only ten test numbers exist for a birth date and sex');
  const date = birthDate.replaceAll('-', '');
  const serial = 980 + variant * 2 + (sex === 'M' ? 1 : 0);
  return `${date}${serial}${luhnDigit(`${date.slice(2)}${serial}`)}`;
};

/**
 * Returns a Swedish organisation number with a valid check digit that cannot exist: the first digit is the kind of
 * legal person, and 4 is not in use.
 */
export const testOrganisationNumber = (seven: string): string => {
  if (!/^4\d[2-9]\d{6}$/.test(seven))
    throw new RangeError('A test organisation number starts with 4 and has a third digit of 2 or more');
  return `${seven.slice(0, 6)}-${seven.slice(6)}${luhnDigit(seven)}`;
};
