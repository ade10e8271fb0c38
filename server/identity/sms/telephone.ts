/** Mobile number patterns by country code, where known; codes to other numbers would not arrive or reach someone else. */
const mobile: readonly (readonly [code: string, rest: RegExp])[] = [
  ['+46', /^7\d{8}$/],
  ['+45', /^[2-9]\d{7}$/],
  ['+47', /^[49]\d{7}$/],
];

/**
 * Converts a telephone number as typed to E.164 (`+46701740611`). Without a country code it is Swedish.
 * Returns null for a number that cannot receive text messages.
 */
export const telephoneOf = (written: string): string | null => {
  const compact = written.replace(/\(0\)/g, '').replace(/[\s\u00a0().\-\u2010-\u2013/]/g, '');
  const international = compact.startsWith('00') ? `+${compact.slice(2)}` : compact.replace(/^0(?=[1-9])/, '+46');
  if (!/^\+[1-9]\d{7,14}$/.test(international)) return null;
  const known = mobile.find(([code]) => international.startsWith(code));
  if (!known) return international;
  const [code, rest] = known;
  return rest.test(international.slice(code.length)) ? international : null;
};
