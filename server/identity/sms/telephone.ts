/** How a mobile number looks behind the country's code, where we know it; a code sent elsewhere would reach nobody, or another person. */
const mobile: readonly (readonly [code: string, rest: RegExp])[] = [
  ['+46', /^7\d{8}$/],
  ['+45', /^[2-9]\d{7}$/],
  ['+47', /^[49]\d{7}$/],
];

/**
 * A telephone number as people write it -> E.164 (`+46701740611`). Without a country it is Swedish.
 * Null for what is no number that can get a text message.
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
