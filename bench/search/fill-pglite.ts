import { migrate } from '../../server/db/migrate.ts';
import { addSameClinic } from './fill.ts';
import { openPglite } from './pglite.ts';

/* A separate program, because WebAssembly never releases memory: `fill-pglite.ts FOLDER PATIENTS` prints its result as JSON. */

export interface FilledPglite {
  readonly customerId: string;
  /** Patients a second. */
  readonly rate: number;
  /** The most memory that its process had. */
  readonly maxBytes: number;
}

const [folder = '', patients] = process.argv.slice(2);
const { db, pglite } = await openPglite(folder);
await migrate(db);
const clinic = await addSameClinic(pglite, Number(patients));
await pglite.close();
const filled: FilledPglite = { ...clinic, maxBytes: process.resourceUsage().maxRSS * 1024 };
console.log(JSON.stringify(filled));
