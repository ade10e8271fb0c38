import { useTranslation } from 'react-i18next';
import classes from './tooth-chart.module.css';

const row = (left: number, right: number, teeth: number) => [
  ...Array.from({ length: teeth }, (_, index) => left * 10 + teeth - index),
  ...Array.from({ length: teeth }, (_, index) => right * 10 + index + 1),
];
const permanent = [row(1, 2, 8), row(4, 3, 8)];
const deciduous = [row(5, 6, 5), row(8, 7, 5)];

/** The teeth of an image in the ISO 3950 chart, as if facing the patient: the patient's right is at the left. */
export const ToothChart = ({ teeth }: { teeth: readonly number[] }) => {
  const { t } = useTranslation('patient');
  if (teeth.length === 0) return <p className={classes.none}>{t('noTeeth')}</p>;
  const rows = teeth.some((tooth) => tooth > 50)
    ? [...permanent.slice(0, 1), ...deciduous, ...permanent.slice(1)]
    : permanent;
  return (
    <div>
      <p className={classes.numbers}>{teeth.join(', ')}</p>
      <div className={classes.chart} aria-hidden="true">
        {rows.map((numbers) => (
          <div key={numbers[0]} className={classes.row}>
            {numbers.map((tooth) => (
              <span key={tooth} className={classes.tooth} data-shown={teeth.includes(tooth) || undefined} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
};
