/** Check digit over ten-digit Swedish numbers: the Luhn sum with weights 2 and 1 (Skatteverket, "modulus-10-metoden"). */
export const luhnDigit = (digits: string): number => {
  const sum = [...digits].reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return (10 - (sum % 10)) % 10;
};

/**
 * A Swedish personal number of twelve digits that belongs to nobody. Birth numbers 980 to 999 are not assigned: Skatteverket
 * keeps them for its published test numbers ("Testpersonnummer", open data of Skatteverket). Odd for men, even for women.
 * @param birthDate YYYY-MM-DD
 * @param turn tells people of the same birth date and sex apart, 0 to 9
 * @throws RangeError when `turn` leaves the reserved range
 */
export const testPersonalNumber = (birthDate: string, sex: 'M' | 'F', turn = 0): string => {
  if (!Number.isInteger(turn) || turn < 0 || turn > 9)
    throw new RangeError('Only ten test numbers exist for a birth date and sex');
  const date = birthDate.replaceAll('-', '');
  const serial = 980 + turn * 2 + (sex === 'M' ? 1 : 0);
  return `${date}${serial}${luhnDigit(`${date.slice(2)}${serial}`)}`;
};

/**
 * A Swedish organisation number whose check digit is right and that no register can hold: the first digit says the kind of
 * legal person, and 4 is not in use.
 */
export const testOrganisationNumber = (seven: string): string => {
  if (!/^4\d[2-9]\d{6}$/.test(seven))
    throw new RangeError('A test organisation number starts with 4 and has a third digit of 2 or more');
  return `${seven.slice(0, 6)}-${seven.slice(6)}${luhnDigit(seven)}`;
};
