import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { SkippedFile } from '../../machines/import-study/upload.rules.ts';
import classes from './row.module.css';
import { type Counts, type Destination, destinationPath, maxNames } from './shown-import.ts';

interface RowResultProps {
  readonly counts: Counts;
  /** Files that were not uploaded: not images by name, or unreadable. */
  readonly notSent: readonly SkippedFile[];
  readonly done: boolean;
  readonly destinations: readonly Destination[];
}

/** Maximum number of links in a row; a large import has hundreds. */
const maxDestinations = 6;

/** A count of files with the names of the first ones. */
const NamedFiles = ({ text, names, count }: { text: string; names: readonly string[]; count: number }) => {
  const { t } = useTranslation('import');
  const more = count - names.length;
  return (
    <span className={classes.bad}>
      {text}: {names.join(', ')}
      {more > 0 && ` ${t('andMore', { count: more })}`}
    </span>
  );
};

/** Returns the number of imported images, with the number of candidates when it differs. */
const Came = ({ counts }: { counts: Counts }) => {
  const { t } = useTranslation('import');
  const { imported, duplicates, restored, candidates } = counts;
  const whole = imported + duplicates === candidates;
  if (imported === 0 && duplicates === 0) return null;
  return (
    <span className={whole ? classes.good : classes.partly}>
      {whole ? <IconCircleCheck aria-hidden="true" /> : <IconAlertTriangle aria-hidden="true" />}
      {imported === 0 && whole && restored === 0 && t('nothingNew', { count: duplicates })}
      {imported === 0 && whole && restored > 0 && t('restored', { count: restored })}
      {imported > 0 && imported === candidates && t('imported', { count: imported })}
      {imported !== candidates && !(imported === 0 && whole) && t('importedOf', { done: imported, count: candidates })}
    </span>
  );
};

const DestinationLinks = ({ destinations }: { destinations: readonly Destination[] }) => {
  const { t } = useTranslation('import');
  return (
    <ul className={classes.places} aria-label={t('importedTo')}>
      {destinations.slice(0, maxDestinations).map((one) => (
        <li key={`${one.id}/${one.studyUid}/${one.viewsetId}`}>
          <Link href={`/patient/${one.id}`}>{one.name}</Link>
          <span>{t('filesCount', { count: one.images })}</span>
          {one.viewsetId && <Link href={destinationPath(one)}>{t('openMount')}</Link>}
        </li>
      ))}
      {destinations.length > maxDestinations && (
        <li>{t('morePlaces', { count: destinations.length - maxDestinations })}</li>
      )}
    </ul>
  );
};

/** Shows the result of an import: counts, rejected names, and links to patients and mounts. */
export const RowResult = ({ counts, notSent, done, destinations }: RowResultProps) => {
  const { t } = useTranslation('import');
  const { duplicates, imported, restored, rejected, missing, pictureless, leftOut, ignored } = counts;
  const unreadable = notSent.filter(({ why }) => why === 'unreadable').map(({ path }) => path);
  const noImages = notSent.length - unreadable.length;
  return (
    <>
      <p className={classes.summary}>
        {done && <Came counts={counts} />}
        {restored > 0 && !(done && imported === 0 && duplicates === counts.candidates) && (
          <span>{t('restored', { count: restored })}</span>
        )}
        {duplicates > 0 && !(done && imported === 0 && duplicates === counts.candidates) && (
          <span>{t('duplicates', { count: duplicates })}</span>
        )}
        {rejected > 0 && (
          <NamedFiles text={t('refused', { count: rejected })} names={counts.rejectedNames} count={rejected} />
        )}
        {missing > 0 && (
          <NamedFiles text={t('missing', { count: missing })} names={counts.missingNames} count={missing} />
        )}
        {pictureless > 0 && <span className={classes.bad}>{t('pictureless', { count: pictureless })}</span>}
        {leftOut > 0 && <span>{t('leftOut', { count: leftOut })}</span>}
        {ignored > 0 && <span>{t('ignored', { count: ignored })}</span>}
        {unreadable.length > 0 && (
          <span className={classes.bad}>
            {t('unreadable', { count: unreadable.length, names: unreadable.slice(0, maxNames).join(', ') })}
            {unreadable.length > maxNames && ` ${t('andMore', { count: unreadable.length - maxNames })}`}
          </span>
        )}
        {noImages > 0 && <span>{t('notSent', { count: noImages })}</span>}
      </p>
      {done && destinations.length > 0 && <DestinationLinks destinations={destinations} />}
    </>
  );
};
