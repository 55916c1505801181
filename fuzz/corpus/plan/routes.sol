Route #1: 1 2 3
Route #2: 4 5 6 7
Cost 123
