import encodeQR from 'qr';
import classes from './qr-code.module.css';

/** Width of the quiet zone in modules (ISO/IEC 18004, section 6.3.8). */
const quietZone = 4;

/** Returns the path of a row's dark modules, one stroke per run. */
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
  /** Error correction (ISO/IEC 18004, section 6.5): `low` for large symbols with long text. */
  readonly correction: 'low' | 'medium';
}

/** A QR code, dark on light in every theme because cameras need it. */
export const QrCode = ({ text, label, correction }: QrCodeProps) => {
  const rows = encodeQR(text, 'raw', { ecc: correction, border: quietZone });
  return (
    <svg className={classes.code} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={rows.map(strokes).join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
};
