import { anchorOf } from './html.ts';
import { eventsOf, guardsOf, portSaid, portsOf } from './part-sections.ts';
import { goalWords } from './path-section.ts';
import { eventSaid, type Setting, type Subject } from './subject.ts';

export interface Findable {
  readonly text: string;
  readonly machine: string;
  readonly href: string;
}

/** Everything of a machine that can be searched, with where it is told. */
export const findablesOf = (subject: Subject, setting: Setting): readonly Findable[] => {
  const { id } = subject.modelled;
  const { said } = setting;
  const findable = (kind: string, name: string, shown: string, meaning: string | null): Findable => ({
    text: meaning ? `${shown}: ${meaning}` : shown,
    machine: said.name,
    href: `${id}.html#${anchorOf(kind, name)}`,
  });
  const short = (state: string) => state.split('.').slice(1).join('.') || state;
  return [
    { text: said.meaning ? `${said.name}: ${said.meaning}` : said.name, machine: id, href: `${id}.html` },
    ...subject.states.map((one) => findable('state', one.id, short(one.id), said.state(one.id))),
    ...eventsOf(subject).map(([type]) => findable('event', type, type, eventSaid(type, said, subject))),
    ...guardsOf(subject).map(([name]) => findable('guard', name, name, said.guard(name))),
    ...subject.delays.map(({ name, values }) =>
      findable('delay', name, `${name} (${values.join(', ')})`, said.delay(name)),
    ),
    ...portsOf(subject).map((port) => findable('port', port.name, port.name, portSaid(port, said))),
    ...subject.paths.map((path) => findable('path', path.number, path.number, goalWords(path, setting))),
  ];
};
