export async function besideInspector() {}
