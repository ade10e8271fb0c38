import encodeQR from 'qr';
import { useMemo } from 'react';
import classes from './two-factor.module.css';

/** White around the code, in modules (ISO/IEC 18004 section 6.3.8). */
const quietZone = 4;

/** A text as a QR code: black on white in every theme, for cameras; sharp at every size. */
export const QrPicture = ({ text, label }: { text: string; label: string }) => {
  const { size, path } = useMemo(() => {
    const rows: boolean[][] = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
    const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: rows.length, path: dark.join('') };
  }, [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};
