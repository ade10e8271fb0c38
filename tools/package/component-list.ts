import { version } from '../../server/version.ts';
import { licencesOf } from '../../vite-licences.ts';

/** Package URL (ECMA-427). The scope of an npm package is its namespace. */
const purlOf = (name: string, packageVersion: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${packageVersion}`;

/** Returns Node and the npm packages of the server and the web application as a CycloneDX document, the same for each build of a version. */
export const componentList = (root: string): string => {
  const { node } = process.versions;
  const packages = licencesOf(root).packages.map((one) => ({
    type: 'library',
    'bom-ref': purlOf(one.name, one.version),
    name: one.name,
    version: one.version,
    purl: purlOf(one.name, one.version),
    // An SPDX expression, as npm wants it.
    ...(one.licence !== '' && { licenses: [{ expression: one.licence }] }),
  }));
  const runtime = { type: 'application', name: 'node', version: node, purl: `pkg:generic/node@${node}` };
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'dentarium', version } },
    components: [runtime, ...packages],
  };
  return `${JSON.stringify(document, null, 1)}\n`;
};
