import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { componentList } from '../../tools/package/component-list.ts';
import { neededPackages } from '../../tools/package/needed-packages.ts';

const root = path.join(import.meta.dirname, '../..');

it('a package lists Node and every npm package that it contains, with version and licence', () => {
  const text = componentList(root);
  const { bomFormat, metadata, components } = JSON.parse(text);
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'dentarium']);
  const [runtime, ...packages] = components;
  expect(runtime).toMatchObject({ name: 'node', version: process.versions.node });
  const listed = new Map<string, string>(
    packages.map((one: { purl: string; licenses?: [{ expression: string }] }) => [
      one.purl,
      one.licenses?.[0].expression ?? '',
    ]),
  );
  for (const folder of neededPackages(root)) {
    const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    expect(listed.has(purl), purl).toBe(true);
    if (typeof license === 'string') expect(listed.get(purl)).toBe(license);
  }
  // The web application, of which a package has the built files.
  expect([...listed.keys()].some((purl) => purl.startsWith('pkg:npm/pixi.js@'))).toBe(true);
  expect(componentList(root)).toBe(text);
});
