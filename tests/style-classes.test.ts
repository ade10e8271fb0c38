import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow } from './imports-of.ts';

const root = path.dirname(import.meta.dirname);
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const views = filesBelow(root, 'src').filter((file) => file.endsWith('.tsx'));

it('views name only CSS classes that have a rule', () => {
  const missing = views.flatMap((file) => {
    const text = textOf(file).replaceAll(/'[^'\n]+\.tsx?'/g, "''");
    return [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].flatMap(([, name = '', sheet = '']) => {
      const rules = textOf(path.join(path.dirname(file), sheet));
      const used = new Set(
        [...text.matchAll(new RegExp(`\\b${name}\\.([a-zA-Z]\\w*)`, 'g'))].map(([, one = '']) => one),
      );
      return [...used].filter((one) => !new RegExp(`\\.${one}\\b`).test(rules)).map((one) => `${file} ${one}`);
    });
  });
  expect(missing).toEqual([]);
});
