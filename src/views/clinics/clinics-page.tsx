import { Button, SegmentedControl } from '@mantine/core';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { type CustomerRow, customerSorts } from '../../../contract/customers.ts';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { useAdministration } from '../administration.ts';
import { ListBar } from '../language/list-bar.tsx';
import { ListFoot } from '../language/list-foot.tsx';
import { useListInstead } from '../language/list-instead.tsx';
import { useTableWords } from '../language/table-words.ts';
import { type ReadList, useListPage } from '../list-page.ts';
import { useListPlace } from '../list-place.ts';
import { Notice } from '../parts/notice.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { RecordTable } from '../parts/record-table/record-table.tsx';
import { useSelection } from '../parts/record-table/selection.ts';
import { useStoredFlag, useStoredText } from '../parts/stored-state.ts';
import { ToolButton } from '../parts/tool-button.tsx';
import { allPeoplePath, isUuid } from '../places.ts';
import { ClinicCard } from './clinic-card.tsx';
import { type ClinicSort, useClinicColumns } from './clinic-columns.tsx';
import { useClinicDeeds } from './clinic-deeds.tsx';
import { ClinicMenu } from './clinic-menu.tsx';
import { ClinicStatistics } from './clinic-statistics.tsx';
import classes from './clinics.module.css';

const views = ['table', 'bar'] as const;
/** The clinic whose facts stand beside the list. */
const beside = 'clinic';
const usualSize = 25;

/** The clinics of the archive: how many of everything there are, the list, and what can be done to each. */
export const ClinicsPage = ({ session }: { readonly session: SessionActor }) => {
  const { t } = useTranslation(['clinics', 'statistics']);
  const administration = useAdministration();
  const [stored, setView] = useStoredText('clinics-view', 'table');
  const view = stored === 'bar' ? 'bar' : 'table';
  const [hasStatistics, setHasStatistics] = useStoredFlag('clinics-statistics', true);
  const [params] = useSearchParams();
  const list = useListPlace<ClinicSort>({ sorts: customerSorts, perPage: usualSize, aside: [beside] });
  const read: ReadList<CustomerRow, ClinicSort> = (asked) => administration.customers(asked);
  const found = useListPage(list, read);
  const columns = useClinicColumns(list.q);
  const selection = useSelection<CustomerRow>();
  const words = useTableWords();
  const instead = useListInstead();
  const inCard = isUuid(params.get(beside) ?? '') ? params.get(beside) : null;
  const showBeside = (id: string | null) => {
    const wanted = new URLSearchParams(window.location.search);
    if (id === null) wanted.delete(beside);
    else wanted.set(beside, id);
    // What was searched for may travel beside the address.
    navigate(`/customers?${wanted}`, { state: window.history.state });
  };
  const { deeds, dialogs } = useClinicDeeds(session, {
    onAdded: (clinic) => {
      if (view === 'bar') showBeside(clinic.id);
      else list.change({ q: clinic.name.slice(0, 30) });
    },
    onGone: (clinic) => {
      if (clinic.id === inCard) showBeside(null);
      const chosen = new Map(selection.chosen);
      chosen.delete(clinic.id);
      selection.onChange(chosen);
    },
  });
  const everybody = useSelector(session, selectMay('customer.get_byid')) ? allPeoplePath : null;
  const addBarred = deeds.barred('add');
  const add = addBarred === null && (
    <Button leftSection={<IconPlus aria-hidden="true" />} onClick={deeds.add}>
      {t('add')}
    </Button>
  );
  const empty =
    list.q === '' ? (
      <Notice title={t('noneYet')} text={t('noneYetText')} icon={<IconBuilding />} action={add} />
    ) : (
      <Notice
        title={t('none')}
        text={t('noneText')}
        icon={<IconBuilding />}
        action={
          <Button variant="default" onClick={() => list.change({ q: '' })}>
            {t('clear')}
          </Button>
        }
      />
    );
  return (
    <div className={classes.page} data-view={view}>
      <div className={classes.head}>
        <PageTitle>{t('title')}</PageTitle>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>{t('choose')}</p>
        <SegmentedControl
          className={classes.view}
          aria-label={t('view')}
          value={view}
          onChange={setView}
          data={views.map((value) => ({ value, label: t(value) }))}
        />
        <ToolButton
          label={hasStatistics ? t('statistics:hide') : t('statistics:show')}
          active={hasStatistics}
          onClick={() => setHasStatistics(!hasStatistics)}
        >
          <IconChartBar />
        </ToolButton>
      </div>
      {hasStatistics && (
        <div className={classes.statistics}>
          <ClinicStatistics
            customerId={null}
            withWeeks={view === 'table'}
            places={{
              clinics: '/customers',
              users: everybody,
              active: everybody && `${everybody}?status=active`,
              inactive: everybody && `${everybody}?status=inactive`,
              patients: () => setView('bar'),
            }}
          />
        </div>
      )}
      <ListBar
        list={list}
        searchLabel={t('find')}
        {...(view === 'table' && { columns })}
        csv={{ fileName: 'clinics', read, columns, chosen: selection.chosen }}
      >
        {add}
      </ListBar>
      <div className={classes.body}>
        <RecordTable
          label={t('title')}
          rows={found.rows}
          isStale={found.isStale}
          place={found.place}
          awaited={Math.min(list.ppage, 12)}
          columns={columns.shown}
          keyOf={(clinic) => clinic.id}
          nameOf={(clinic) => clinic.name}
          words={words}
          sorting={{ by: list.sort, order: list.order, onSort: (sort, order) => list.change({ sort, order }) }}
          selection={selection}
          onOpen={view === 'bar' ? (clinic) => showBeside(clinic.id) : deeds.work}
          actions={(clinic) => <ClinicMenu clinic={clinic} deeds={deeds} />}
          current={view === 'bar' ? inCard : null}
          instead={instead(found, empty)}
        />
        {view === 'bar' && (
          <aside className={classes.aside}>
            {inCard === null ? (
              <Notice title={t('pick')} text={t('pickText')} icon={<IconBuilding />} />
            ) : (
              <ClinicCard key={inCard} id={inCard} deeds={deeds} />
            )}
          </aside>
        )}
      </div>
      <ListFoot
        list={list}
        reply={found.reply}
        chosen={selection.chosen.size}
        onForgetChosen={() => selection.onChange(new Map())}
      />
      {dialogs}
    </div>
  );
};
