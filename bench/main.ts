import { benchBackup } from './backup.ts';
import { benchComparison } from './comparison.ts';
import { benchDicomStore } from './dicom-store.ts';
import { benchDicomdir } from './dicomdir.ts';
import { benchDicomWebSearch } from './dicomweb-search.ts';
import { benchGallery } from './gallery.ts';
import { benchGalleryFrames } from './gallery-frames.ts';
import { benchImport } from './import.ts';
import { benchLists } from './lists.ts';
import { benchMemory } from './memory.ts';
import { benchMount } from './mount.ts';
import { benchSearch } from './search.ts';
import { benchSearchPglite } from './search-pglite.ts';
import { benchStartPage } from './start-page.ts';
import { benchThumbnails } from './thumbnails.ts';
import { benchWindow } from './window.ts';
import { benchZipMemory } from './zip-memory.ts';

const benches: Readonly<Record<string, () => Promise<void>>> = {
  window: benchWindow,
  mount: benchMount,
  comparison: benchComparison,
  memory: benchMemory,
  import: benchImport,
  backup: benchBackup,
  dicomdir: benchDicomdir,
  lists: benchLists,
  thumbnails: benchThumbnails,
  'zip-memory': benchZipMemory,
  gallery: benchGallery,
  'gallery-frames': benchGalleryFrames,
  'dicomweb-search': benchDicomWebSearch,
  'dicom-store': benchDicomStore,
  search: benchSearch,
  'search-pglite': benchSearchPglite,
  'start-page': benchStartPage,
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". Available: ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}
for (const [name, bench] of Object.entries(benches)) if (names.length === 0 || names.includes(name)) await bench();
