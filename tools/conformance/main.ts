import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import { conformancePdf } from './conformance-pdf.ts';

const executablePath = process.env.DENTARIUM_CHROMIUM;
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
const file = path.resolve(process.argv[2] ?? 'dicom-conformance.pdf');
writeFileSync(file, await conformancePdf(browser));
await browser.close();
process.stdout.write(`  Written: ${file}\n`);
