import { createRequire } from 'node:module';

/** DejaVu Sans covers all characters that occur in European names. */
const font = (file: string) => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${file}`);

/** Files of the fonts that PDF documents embed. */
export const pdfFonts = { plain: font('DejaVuSans.ttf'), bold: font('DejaVuSans-Bold.ttf') } as const;
