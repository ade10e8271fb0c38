import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type LoadedImage, type Mark, profileAlong } from '../../../viewer/index.ts';
import classes from './profile-chart.module.css';
import { useValueText } from './viewer-texts.ts';

const [width, height] = [256, 56];

/** The pixel values along a line, from its first point at the left to its last. */
export const ProfileChart = ({ image, points }: { readonly image: LoadedImage; readonly points: Mark['points'] }) => {
  const { t } = useTranslation('viewer');
  const valueText = useValueText(image.range);
  const values = useMemo(() => profileAlong(image, points), [image, points]);
  if (image.pixels.format === 'rgba8') return <small>{t('profileOnlyGrey')}</small>;
  if (!values) return null;
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const line = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    const y = height - ((value - low) / (high - low || 1)) * height;
    return `${x},${y}`;
  });
  const range = t('profileRange', { low: valueText(low), high: valueText(high), mean: valueText(mean) });
  return (
    <>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${t('profileValues')}. ${range}`}
      >
        <polyline className={classes.line} vectorEffect="non-scaling-stroke" points={line.join(' ')} />
      </svg>
      <small>{range}</small>
      <small>{t('profileNoDensity')}</small>
    </>
  );
};
