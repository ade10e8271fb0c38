/** The first six digits of a personal number: year or day, month, day or year. */
const pairs = /^(\d\d)(\d\d)(\d\d)/;

/** Returns whether the digits are all the same, or run up or down (0 follows 9). */
const isRun = (pin: string): boolean => {
  const steps = [...pin].slice(1).map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10);
  return [0, 1, 9].some((step) => steps.every((one) => one === step));
};

/** Returns how a birth date is written: day or year first, and with or without its century. A personal number begins with it in either order. */
const birthDates = (personalNumber: string): string[] => {
  const [, first = '', month = '', last = ''] =
    pairs.exec(personalNumber.slice(personalNumber.length === 12 ? 2 : 0)) ?? [];
  const orders = [
    { year: first, day: last },
    { year: last, day: first },
  ];
  return orders.flatMap(({ year, day }) =>
    ['', '19', '20'].flatMap((century) => [`${century}${year}${month}${day}`, `${day}${month}${century}${year}`]),
  );
};

interface OwnNumbers {
  readonly personalNumber: string | null;
  readonly telephone: string | null;
}

/** Returns whether a PIN is among the first that are guessed: a run, or a part of the user's personal number, birth date or telephone. */
export const isTrivialPin = (pin: string, { personalNumber, telephone }: OwnNumbers): boolean => {
  const [own, phone] = [personalNumber, telephone].map((text) => (text ?? '').replace(/\D/g, ''));
  return isRun(pin) || [own, phone, ...birthDates(own ?? '')].some((digits) => digits?.includes(pin));
};
