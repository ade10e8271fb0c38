import encodeQR from 'qr';
import classes from './qr-code.module.css';

/** Modules of light around the symbol (ISO/IEC 18004, section 6.3.8). */
const quietZone = 4;

/** The dark modules of a row, each run of them one stroke of the path. */
const strokes = (row: readonly boolean[], y: number): string =>
  row
    .map((dark, x) => {
      if (!dark || row[x - 1]) return '';
      const end = row.indexOf(false, x);
      return `M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`;
    })
    .join('');

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
  /** Error correction (ISO/IEC 18004, section 6.5): `low` where the symbol is large and the text long. */
  readonly correction: 'low' | 'medium';
}

/** A QR code of `text`, dark on light in every theme, for cameras read nothing else as well. The same picture moves on when the text does. */
export const QrCode = ({ text, label, correction }: QrCodeProps) => {
  const rows = encodeQR(text, 'raw', { ecc: correction, border: quietZone });
  return (
    <svg className={classes.code} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={rows.map(strokes).join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
};
