import { randomInt } from 'node:crypto';

/**
 * Returns up to `count` of these at random, each as likely as any other.
 * @param below returns a random integer from 0 to below its argument
 */
export const drawSample = <Item>(
  items: readonly Item[],
  count: number,
  below: (end: number) => number = randomInt,
): Item[] => {
  const left = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(below(left.length), 1));
  return drawn;
};
