import { Button, SegmentedControl } from '@mantine/core';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { type Employee, employeeSorts } from '../../../contract/users.ts';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import type { PeopleList } from '../../services/queries.ts';
import { useAdministration } from '../administration.ts';
import { useFailureText } from '../language/failure-text.ts';
import { ListBar } from '../language/list-bar.tsx';
import { ListFoot } from '../language/list-foot.tsx';
import { useListInstead } from '../language/list-instead.tsx';
import { useTableWords } from '../language/table-words.ts';
import { useListPage } from '../list-page.ts';
import { type ListAsked, useListPlace } from '../list-place.ts';
import { Notice } from '../parts/notice.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useColumnChoice } from '../parts/record-table/columns.ts';
import { RecordTable } from '../parts/record-table/record-table.tsx';
import { useSelection } from '../parts/record-table/selection.ts';
import { toast } from '../parts/toast.ts';
import { failureOfQuery } from '../reading.tsx';
import classes from './people.module.css';
import { nameOf, type PeopleSort, usePeopleColumns } from './people-columns.tsx';
import { PersonDialogs, type PersonWish } from './person-dialogs.tsx';
import { type Belonging, PersonDrawer } from './person-drawer.tsx';
import { PersonMenu } from './person-menu.tsx';
import { type PersonAct, usePeopleRights } from './person-rights.ts';

interface PeoplePageProps {
  readonly session: SessionActor;
  readonly list: PeopleList;
  readonly title: string;
  /** Rows of a page. */
  readonly perPage: number;
  /** Where those belong who are added here; undefined: nobody is added here. */
  readonly addTo?: Belonging;
}

const statuses = ['active', 'inactive'] as const;

/** A list of people, and what can be done to them. A list of others is another list: give it a key. */
export const PeoplePage = ({ session, list: people, title, perPage, addTo }: PeoplePageProps) => {
  const { t } = useTranslation(['people', 'shell']);
  const administration = useAdministration();
  const failureText = useFailureText();
  const rights = usePeopleRights(session);
  const [params, setParams] = useSearchParams();
  const status = statuses.find((one) => one === params.get('status')) ?? null;
  const list = useListPlace<PeopleSort>({ sorts: employeeSorts, perPage });
  const read = (asked: ListAsked<PeopleSort>) => administration.people(people, { ...asked, ...(status && { status }) });
  const found = useListPage(list, read);
  const columns = useColumnChoice('people-columns', usePeopleColumns(people === 'all', rights.ownId, list.q));
  const selection = useSelection<Employee>();
  const [words, instead] = [useTableWords(), useListInstead()];
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<{ readonly person: Employee | null; readonly clinic: Belonging } | null>(null);
  const [wish, setWish] = useState<PersonWish | null>(null);
  const close = t('shell:close');

  const activate = async (person: Employee) => {
    try {
      await administration.changeStatus({ id: person.id, status: true });
      toast({ tone: 'good', text: t('activated', { name: nameOf(person) }), close });
    } catch (error) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close });
    }
  };
  const act = (person: Employee, wanted: PersonAct) => {
    const reason = rights.barred(wanted, person);
    if (reason !== null) return toast({ tone: 'bad', text: reason, close });
    if (wanted === 'edit') return setOpen({ person, clinic: person.customer });
    if (wanted === 'status' && !person.isActive) return void activate(person);
    setWish({ act: wanted, person });
  };
  const show = (wanted: string) => {
    const next = new URLSearchParams(params);
    next.delete('page');
    if (wanted === 'all') next.delete('status');
    else next.set('status', wanted);
    setParams(next);
  };
  const add = (leading: ReactNode) =>
    addTo !== undefined && (
      <Button
        leftSection={leading}
        disabled={rights.mayAdd !== null}
        title={rights.mayAdd ?? undefined}
        onClick={() => setOpen({ person: null, clinic: addTo })}
      >
        {t(addTo ? 'add' : 'addSuper')}
      </Button>
    );
  const isNarrowed = list.q !== '' || status !== null;
  const empty = isNarrowed ? (
    <Notice
      title={t('noneFound')}
      text={t('noneFoundText')}
      icon={<IconUsers />}
      action={
        <Button variant="default" onClick={() => setParams(new URLSearchParams())}>
          {t('showAll')}
        </Button>
      }
    />
  ) : (
    <Notice title={t('noneYet')} text={t('noneYetText')} icon={<IconUsers />} action={add(null)} />
  );
  const rows = found.rows?.filter(({ id }) => !gone.has(id)) ?? null;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageTitle>{title}</PageTitle>
        <h1 className={classes.title}>{title}</h1>
      </div>
      <ListBar
        list={list}
        searchLabel={t('find')}
        columns={columns}
        csv={{ fileName: 'dentarium-users', read, columns, chosen: selection.chosen }}
        filters={
          <SegmentedControl
            aria-label={t('filterStatus')}
            value={status ?? 'all'}
            onChange={show}
            data={(['all', ...statuses] as const).map((value) => ({ value, label: t(value) }))}
          />
        }
      >
        {add(<IconUserPlus aria-hidden="true" />)}
      </ListBar>
      <RecordTable
        label={title}
        rows={rows}
        place={found.place}
        isStale={found.isStale}
        awaited={list.ppage}
        columns={columns.shown}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        words={words}
        selection={selection}
        sorting={{ by: list.sort, order: list.order, onSort: (sort, order) => list.change({ sort, order }) }}
        onOpen={(person) => act(person, 'edit')}
        actions={(person) => <PersonMenu person={person} rights={rights} onAct={(wanted) => act(person, wanted)} />}
        current={open?.person?.id ?? null}
        instead={instead(found, empty)}
      />
      <ListFoot
        list={list}
        reply={found.reply}
        chosen={selection.chosen.size}
        onForgetChosen={() => selection.onChange(new Map())}
      />
      {open && (
        <PersonDrawer session={session} person={open.person} clinic={open.clinic} onClose={() => setOpen(null)} />
      )}
      {wish && (
        <PersonDialogs wish={wish} onClose={() => setWish(null)} onGone={(id) => setGone(new Set([...gone, id]))} />
      )}
    </div>
  );
};
