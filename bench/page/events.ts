/** Stands in for Node's module `events`, of which a part of vtk.js that is never called wants a class to extend. */
export class EventEmitter {
  on(): this {
    return this;
  }
  emit(): boolean {
    return false;
  }
}
export default EventEmitter;
