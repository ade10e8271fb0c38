import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { LeftOut } from './groups.ts';
import classes from './row.module.css';
import { type Counts, type Destination, destinationPath, mostNames } from './shown-import.ts';

interface RowResultProps {
  readonly counts: Counts;
  /** What was not sent: no images by their names, or unreadable. */
  readonly notSent: readonly LeftOut[];
  readonly done: boolean;
  readonly destinations: readonly Destination[];
}

/** Longest list of places in a row; an import of a whole archive has hundreds. */
const mostPlaces = 6;

/** What came in. Never more than is true: the number of those that could have come stands beside it when it is another. */
const Came = ({ counts }: { counts: Counts }) => {
  const { t } = useTranslation('import');
  const { imported, duplicates, candidates } = counts;
  const whole = imported + duplicates === candidates;
  if (imported === 0 && duplicates === 0) return null;
  return (
    <span className={whole ? classes.good : classes.partly}>
      {whole ? <IconCircleCheck aria-hidden="true" /> : <IconAlertTriangle aria-hidden="true" />}
      {imported === 0 && whole && t('nothingNew', { count: duplicates })}
      {imported > 0 && imported === candidates && t('imported', { count: imported })}
      {imported !== candidates && !(imported === 0 && whole) && t('importedOf', { done: imported, count: candidates })}
    </span>
  );
};

const Places = ({ destinations }: { destinations: readonly Destination[] }) => {
  const { t } = useTranslation('import');
  return (
    <ul className={classes.places} aria-label={t('cameTo')}>
      {destinations.slice(0, mostPlaces).map((one) => (
        <li key={`${one.id}/${one.studyUid}/${one.viewsetId}`}>
          <Link href={`/patient/${one.id}`}>{one.name}</Link>
          <span>{t('imagesCount', { count: one.images })}</span>
          {one.viewsetId && <Link href={destinationPath(one)}>{t('openMount')}</Link>}
        </li>
      ))}
      {destinations.length > mostPlaces && <li>{t('morePlaces', { count: destinations.length - mostPlaces })}</li>}
    </ul>
  );
};

/** What became of an import's files, in numbers and with names, and where they are. */
export const RowResult = ({ counts, notSent, done, destinations }: RowResultProps) => {
  const { t } = useTranslation('import');
  const { duplicates, imported, refused, refusedNames, pictureless, leftOut, ignored } = counts;
  const more = refused - refusedNames.length;
  const unreadable = notSent.filter(({ why }) => why === 'unreadable').map(({ path }) => path);
  const noImages = notSent.length - unreadable.length;
  return (
    <>
      <p className={classes.summary}>
        {done && <Came counts={counts} />}
        {duplicates > 0 && !(done && imported === 0 && duplicates === counts.candidates) && (
          <span>{t('duplicates', { count: duplicates })}</span>
        )}
        {refused > 0 && (
          <span className={classes.bad}>
            {t('refused', { count: refused })}: {refusedNames.join(', ')}
            {more > 0 && ` ${t('andMore', { count: more })}`}
          </span>
        )}
        {pictureless > 0 && <span className={classes.bad}>{t('pictureless', { count: pictureless })}</span>}
        {leftOut > 0 && <span>{t('leftOut', { count: leftOut })}</span>}
        {ignored > 0 && <span>{t('ignored', { count: ignored })}</span>}
        {unreadable.length > 0 && (
          <span className={classes.bad}>
            {t('unreadable', { count: unreadable.length, names: unreadable.slice(0, mostNames).join(', ') })}
            {unreadable.length > mostNames && ` ${t('andMore', { count: unreadable.length - mostNames })}`}
          </span>
        )}
        {noImages > 0 && <span>{t('notSent', { count: noImages })}</span>}
      </p>
      {done && destinations.length > 0 && <Places destinations={destinations} />}
    </>
  );
};
