import { expect, it } from 'vitest';
import { newZipPassword } from '../../../src/views/gallery/new-zip-password.ts';

it('makes passwords of 20 unmistakable characters, no two alike', () => {
  const passwords = Array.from({ length: 500 }, newZipPassword);
  for (const password of passwords) expect(password).toMatch(/^([a-hj-km-np-z2-9]{4}-){4}[a-hj-km-np-z2-9]{4}$/);
  expect(new Set(passwords).size).toBe(500);
  expect(new Set(passwords.join('').replaceAll('-', '')).size).toBe(31);
});
