/** Whoever teaches at this school: the owl, who also plays as level 9. */
export const TEACHER = 'level:9';
