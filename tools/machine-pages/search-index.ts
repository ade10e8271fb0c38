import { anchorOf } from './html.ts';
import { eventsOf, guardsOf, portMeaning, portsOf } from './part-sections.ts';
import { titleOf } from './path-section.ts';
import { eventMeaning, type PageContext, type Subject } from './subject.ts';

export interface SearchEntry {
  readonly text: string;
  readonly machine: string;
  readonly href: string;
}

/** Returns everything of a machine that can be searched, with its address. */
export const searchEntriesOf = (subject: Subject, page: PageContext): readonly SearchEntry[] => {
  const { id } = subject.modelled;
  const { texts } = page;
  const entryOf = (kind: string, name: string, shown: string, meaning: string | null): SearchEntry => ({
    text: meaning ? `${shown}: ${meaning}` : shown,
    machine: texts.name,
    href: `${id}.html#${anchorOf(kind, name)}`,
  });
  const short = (state: string) => state.split('.').slice(1).join('.') || state;
  return [
    { text: texts.about ? `${texts.name}: ${texts.about}` : texts.name, machine: id, href: `${id}.html` },
    ...subject.states.map((one) => entryOf('state', one.id, short(one.id), texts.state(one.id))),
    ...eventsOf(subject).map(([type]) => entryOf('event', type, type, eventMeaning(type, texts, subject))),
    ...guardsOf(subject).map(([name]) => entryOf('guard', name, name, texts.guard(name))),
    ...subject.delays.map(({ name, values }) =>
      entryOf('delay', name, `${name} (${values.join(', ')})`, texts.delay(name)),
    ),
    ...portsOf(subject).map((port) => entryOf('port', port.name, port.name, portMeaning(port, texts))),
    ...subject.paths.map((path) => entryOf('path', path.number, path.number, titleOf(path))),
  ];
};
